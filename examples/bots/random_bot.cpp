// A bot for every game of Turntile: any legal action. C++17, no dependency.
//
//   g++ -O2 -std=c++17 -o random_bot random_bot.cpp
//   turntile run tron -s cmd:./random_bot -s greedy
//
// C++ has no JSON reader of its own; the small one below reads what Turntile says.

#include <cstdint>
#include <cstdlib>
#include <iostream>
#include <map>
#include <random>
#include <string>
#include <vector>

struct Json {
    enum Kind { Null, Bool, Number, Text, List, Object } kind = Null;
    bool truth = false;
    double number = 0;
    std::string text;  // of a Text; of a Number its digits
    std::vector<Json> list;
    std::map<std::string, Json> object;

    const Json& operator[](const std::string& key) const { return object.at(key); }
};

class Reader {
public:
    explicit Reader(const std::string& line) : s(line) {}

    Json value() {
        skip();
        Json read;
        switch (s.at(at)) {
        case '{':
            read.kind = Json::Object;
            for (enter(); s.at(at) != '}'; comma()) {
                skip();
                std::string key = string();
                skip();
                at++;  // the colon
                read.object[key] = value();
            }
            at++;
            return read;
        case '[':
            read.kind = Json::List;
            for (enter(); s.at(at) != ']'; comma()) read.list.push_back(value());
            at++;
            return read;
        case '"':
            read.kind = Json::Text;
            read.text = string();
            return read;
        default:
            size_t end = s.find_first_of(",]} \t", at);
            read.text = s.substr(at, end - at);
            at = end == std::string::npos ? s.size() : end;
            if (read.text == "null") return read;
            read.kind = read.text == "true" || read.text == "false" ? Json::Bool : Json::Number;
            read.truth = read.text == "true";
            read.number = std::strtod(read.text.c_str(), nullptr);
            return read;
        }
    }

private:
    const std::string& s;
    size_t at = 0;

    void skip() { while (at < s.size() && std::isspace(static_cast<unsigned char>(s[at]))) at++; }
    void enter() { at++; skip(); }
    void comma() { skip(); if (s.at(at) == ',') enter(); }

    std::string string() {
        std::string read;
        for (at++; s.at(at) != '"'; at++) {
            char c = s[at];
            if (c != '\\') { read += c; continue; }
            c = s.at(++at);
            if (c == 'u') { add(read, std::stoul(s.substr(at + 1, 4), nullptr, 16)); at += 4; }
            else if (c == 'n') read += '\n';
            else if (c == 't') read += '\t';
            else if (c == 'r') read += '\r';
            else if (c == 'b') read += '\b';
            else if (c == 'f') read += '\f';
            else read += c;
        }
        at++;
        return read;
    }

    static void add(std::string& to, unsigned long c) {  // as UTF-8
        if (c < 0x80) to += static_cast<char>(c);
        else if (c < 0x800) { to += static_cast<char>(0xc0 | c >> 6); to += static_cast<char>(0x80 | (c & 0x3f)); }
        else {
            to += static_cast<char>(0xe0 | c >> 12);
            to += static_cast<char>(0x80 | (c >> 6 & 0x3f));
            to += static_cast<char>(0x80 | (c & 0x3f));
        }
    }
};

std::string quote(const std::string& text) {
    std::string quoted = "\"";
    for (char c : text) {
        if (c == '"' || c == '\\') quoted += '\\';
        quoted += c;
    }
    return quoted + '"';
}

std::mt19937_64 chance;

// Your part: look at turn["view"], return the text of an action.
std::string choose(const Json& turn) {
    const std::vector<Json>& legal = turn["legal"].list;
    return legal.at(std::uniform_int_distribution<size_t>(0, legal.size() - 1)(chance)).text;
}

int main() {
    for (std::string line; std::getline(std::cin, line);) {
        Json message = Reader(line).value();
        const std::string& type = message["type"].text;
        if (type == "hello") {
            std::cout << R"({"type":"id","name":"random in C++"})" << std::endl << R"({"type":"ready"})" << std::endl;
        } else if (type == "newgame") {
            chance.seed(static_cast<std::uint64_t>(message["seed"].number));
            std::cout << R"({"type":"ready"})" << std::endl;
        } else if (type == "turn") {
            std::cout << R"({"type":"move","seq":)" << message["seq"].text << R"(,"action":)"
                      << quote(choose(message)) << "}" << std::endl;
        } else if (type == "quit") {
            return 0;
        }
    }
}
