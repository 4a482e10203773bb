// A bot for every game of Turntile: any legal action. Java 17, no dependency.
//
//   turntile run tron -s 'cmd:java RandomBot.java' -s greedy
//
// Java has no JSON reader of its own; the small one below reads what Turntile says.

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;

public class RandomBot {
    static final Random CHANCE = new Random();

    /** Your part: look at turn.get("view"), return the text of an action. */
    static String choose(Map<?, ?> turn) {
        List<?> legal = (List<?>) turn.get("legal");
        return (String) legal.get(CHANCE.nextInt(legal.size()));
    }

    public static void main(String[] arguments) throws IOException {
        BufferedReader in = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        PrintStream out = new PrintStream(System.out, true, StandardCharsets.UTF_8);
        for (String line = in.readLine(); line != null; line = in.readLine()) {
            Map<?, ?> message = (Map<?, ?>) new Json(line).value();
            switch ((String) message.get("type")) {
                case "hello" -> {
                    out.println("{\"type\":\"id\",\"name\":\"random in Java\"}");
                    out.println("{\"type\":\"ready\"}");
                }
                case "newgame" -> {
                    CHANCE.setSeed(((Number) message.get("seed")).longValue());
                    out.println("{\"type\":\"ready\"}");
                }
                case "turn" -> {
                    long seq = ((Number) message.get("seq")).longValue();
                    out.println("{\"type\":\"move\",\"seq\":" + seq + ",\"action\":" + quote(choose(message)) + "}");
                }
                case "quit" -> {
                    return;
                }
                default -> { }
            }
        }
    }

    static String quote(String text) {
        StringBuilder quoted = new StringBuilder("\"");
        for (char c : text.toCharArray()) {
            if (c == '"' || c == '\\') {
                quoted.append('\\').append(c);
            } else if (c < ' ') {
                quoted.append(String.format("\\u%04x", (int) c));
            } else {
                quoted.append(c);
            }
        }
        return quoted.append('"').toString();
    }

    /** Reads JSON into Map, List, String, Double or Long, Boolean and null. */
    static class Json {
        final String text;
        int at = 0;

        Json(String text) {
            this.text = text;
        }

        Object value() {
            skip();
            char c = text.charAt(at);
            if (c == '{') {
                Map<String, Object> map = new LinkedHashMap<>();
                for (at++, skip(); text.charAt(at) != '}'; next('}')) {
                    skip();
                    String key = string();
                    skip();
                    at++; // the colon
                    map.put(key, value());
                }
                at++;
                return map;
            }
            if (c == '[') {
                List<Object> list = new ArrayList<>();
                for (at++, skip(); text.charAt(at) != ']'; next(']')) {
                    list.add(value());
                }
                at++;
                return list;
            }
            if (c == '"') {
                return string();
            }
            int start = at;
            while (at < text.length() && ",]} \t".indexOf(text.charAt(at)) < 0) {
                at++;
            }
            String word = text.substring(start, at);
            return switch (word) {
                case "true" -> true;
                case "false" -> false;
                case "null" -> null;
                default -> {
                    if (word.matches("-?[0-9]+")) {
                        yield Long.parseLong(word);
                    }
                    yield Double.parseDouble(word);
                }
            };
        }

        String string() {
            StringBuilder read = new StringBuilder();
            for (at++; text.charAt(at) != '"'; at++) {
                char c = text.charAt(at);
                if (c == '\\') {
                    c = text.charAt(++at);
                    switch (c) {
                        case 'n' -> c = '\n';
                        case 't' -> c = '\t';
                        case 'r' -> c = '\r';
                        case 'b' -> c = '\b';
                        case 'f' -> c = '\f';
                        case 'u' -> {
                            c = (char) Integer.parseInt(text.substring(at + 1, at + 5), 16);
                            at += 4;
                        }
                        default -> { }
                    }
                }
                read.append(c);
            }
            at++;
            return read.toString();
        }

        void next(char end) {
            skip();
            if (text.charAt(at) == ',') {
                at++;
                skip();
            }
        }

        void skip() {
            while (at < text.length() && Character.isWhitespace(text.charAt(at))) {
                at++;
            }
        }
    }
}
