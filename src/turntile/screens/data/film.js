"use strict";
// Plays the film that stands in the page as JSON; html.py describes its form.
(() => {
  const film = JSON.parse(document.getElementById("film").textContent);
  const find = (id) => document.getElementById(id);
  const board = find("board");
  const SVG = board.namespaceURI;
  const CHECKPOINT = 50;
  const last = film.frames.length - 1;

  const make = (name, attributes = {}, parent = null) => {
    const element = document.createElementNS(SVG, name);
    for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
    if (parent) parent.append(element);
    return element;
  };
  const tag = (name, text = "", className = "") => {
    const element = document.createElement(name);
    element.textContent = text;
    if (className) element.className = className;
    return element;
  };

  // ---------------------------------------------------------------- frames from deltas

  const apply = (state, frame) => {
    if (frame.size) state.size = frame.size;
    if ("title" in frame) state.title = frame.title;
    for (const id of frame.gone || []) state.sprites.delete(id);
    for (const [id, ...rest] of frame.sprites || []) state.sprites.set(id, rest);
    for (const [y, row] of frame.ground || []) state.ground[y] = row;
    for (const part of ["marks", "edges", "panels"]) if (part in frame) state[part] = frame[part];
    return state;
  };
  const copy = (state) => ({ ...state, sprites: new Map(state.sprites), ground: [...state.ground] });
  const checkpoints = [];
  {
    const state = { size: [1, 1], title: "", sprites: new Map(), ground: [], marks: [], edges: [], panels: [] };
    film.frames.forEach((frame, n) => {
      apply(state, frame);
      if (n % CHECKPOINT === 0) checkpoints.push(copy(state));
    });
  }
  let at = 0;
  let state = copy(checkpoints[0]);
  const go = (n) => {
    if (n === at + 1) apply(state, film.frames[n]);
    else {
      const mark = Math.floor(n / CHECKPOINT);
      state = copy(checkpoints[mark]);
      for (let i = mark * CHECKPOINT + 1; i <= n; i++) apply(state, film.frames[i]);
    }
    at = n;
  };

  // ---------------------------------------------------------------- drawing

  const back = make("rect", { fill: film.background }, board);
  const groundLayer = make("g", {}, board);
  const markLayer = make("g", {}, board);
  const spriteLayer = make("g", {}, board);
  const targetLayer = make("g", {}, board);
  const wallLayer = make("g", {}, board);
  const rows = new Map();
  const layers = new Map();
  const drawn = new Map();
  let shownSize = "", shownMarks = null, shownEdges = null, shownPanels = null;

  const drawGround = () => {
    state.ground.forEach((row, y) => {
      const old = rows.get(y);
      if (old && old.row === row) return;
      const group = make("g");
      [...row].forEach((char, x) => {
        const symbol = film.groundSymbols[char];
        if (symbol) make("use", { href: "#" + symbol, x: x * 100 - 1, y: y * 100 - 1, width: 102, height: 102 }, group);
      });
      if (old) old.group.replaceWith(group);
      else groundLayer.append(group);
      rows.set(y, { row, group });
    });
  };
  const layerOf = (number) => {
    if (!layers.has(number)) {
      const group = make("g");
      const next = [...layers.keys()].filter((other) => other > number).sort((a, b) => a - b)[0];
      if (next === undefined) spriteLayer.append(group);
      else layers.get(next).before(group);
      layers.set(number, group);
    }
    return layers.get(number);
  };
  const drawSprites = () => {
    for (const [id, old] of drawn) {
      if (!state.sprites.has(id)) {
        old.group.remove();
        drawn.delete(id);
      }
    }
    for (const [id, [symbol, x, y, turn = 0, layer = 0, badge = ""]] of state.sprites) {
      let old = drawn.get(id);
      if (!old) {
        old = { group: make("g", { class: "sprite" }) };
        drawn.set(id, old);
      }
      if (old.symbol !== symbol) {
        // Another shape is a new thing to see: it does not turn from where the old one stood.
        if (old.use) old.use.remove();
        old.use = make("use", { href: "#" + film.symbols[symbol], x: -1, y: -1, width: 102, height: 102 });
        old.group.prepend(old.use);
        old.angle = turn * 45;
        old.turn = undefined;
      }
      if (old.layer !== layer) layerOf(layer).append(old.group);
      if (old.x !== x || old.y !== y) old.group.style.transform = `translate(${x * 100}px, ${y * 100}px)`;
      if (old.turn !== turn) {
        // The short way round: from 315 degrees to 0 is one eighth, not seven back.
        old.angle += ((((turn * 45 - old.angle) % 360) + 540) % 360) - 180;
        old.use.style.transform = `rotate(${old.angle}deg)`;
      }
      if ((old.badge || "") !== badge) {
        if (old.badgeGroup) old.badgeGroup.remove();
        old.badgeGroup = badge ? drawBadge(badge, old.group) : null;
      }
      Object.assign(old, { symbol, layer, x, y, turn, badge });
    }
  };
  const drawBadge = (text, parent) => {
    const group = make("g", {}, parent);
    const width = 18 + 21 * text.length;
    make("rect", { x: 98 - width, y: 60, width, height: 38, rx: 14, fill: "#0b0e11", "fill-opacity": 0.82 }, group);
    const label = make("text", { x: 98 - width / 2, y: 91, "font-size": 34, "font-weight": 700, fill: "#fff", "text-anchor": "middle" }, group);
    label.textContent = text;
    return group;
  };
  const drawMarks = () => {
    markLayer.replaceChildren();
    targetLayer.replaceChildren();
    for (const [kind, x, y, why] of state.marks) {
      const use = make("use", { href: "#mark-" + kind, x: x * 100, y: y * 100, width: 100, height: 100 }, kind === "target" ? targetLayer : markLayer);
      if (why) make("title", {}, use).textContent = why;
    }
  };
  const drawEdges = () => {
    wallLayer.replaceChildren();
    const d = state.edges.map(([x, y, north]) => `M${x * 100} ${y * 100}${north ? "h" : "v"}100`).join("");
    if (!d) return;
    make("path", { d, stroke: "#0b0e11", "stroke-width": 20, "stroke-linecap": "round", fill: "none" }, wallLayer);
    make("path", { d, stroke: "#f2efe6", "stroke-width": 12, "stroke-linecap": "round", fill: "none" }, wallLayer);
  };
  const seatSign = (seat) => {
    const sign = make("svg", { class: "seat", viewBox: "0 0 100 100", "aria-hidden": "true" });
    make("use", { href: "#seat-" + seat, width: 100, height: 100 }, sign);
    return sign;
  };
  const gauge = (value, maximum, seat) => {
    const outer = tag("div", "", "gauge");
    const inner = tag("div");
    inner.style.transform = `scaleX(${maximum > 0 ? Math.max(0, Math.min(1, value / maximum)) : 0})`;
    if (seat >= 0) inner.style.background = film.seatColours[seat % film.seatColours.length];
    outer.append(inner);
    return outer;
  };
  const withDetail = (text, detail) => (detail ? `${text}  ${detail}` : text);
  const drawPanel = (panel) => {
    const box = tag("div", "", "panel");
    const heading = tag("h3");
    if (panel.seat >= 0) heading.append(seatSign(panel.seat % film.seatColours.length));
    heading.append(tag("span", panel.title ?? panel.label));
    box.append(heading);
    const list = tag("ul");
    if (panel.type === "lines") for (const line of panel.lines) box.append(tag("p", line));
    if (panel.type === "gauge") {
      heading.append(tag("span", `${panel.value}/${panel.maximum}`, "number"));
      box.append(gauge(panel.value, panel.maximum, panel.seat));
    }
    if (panel.type === "items") {
      if (!panel.items.length) list.append(tag("li", "nothing"));
      for (const item of panel.items) {
        const text = item.count === 1 ? item.label : `${item.label} × ${item.count}`;
        list.append(tag("li", withDetail(text, item.detail), item.selected ? "chosen" : ""));
      }
    }
    if (panel.type === "hand") for (const card of panel.cards) list.append(tag("li", withDetail(card.word === card.label ? card.word : `${card.word} ${card.label}`, card.detail)));
    if (panel.type === "parts") {
      heading.append(tag("span", `${panel.used}/${panel.budget}`, "number"));
      box.append(gauge(panel.used, panel.budget, panel.seat));
      for (const part of panel.parts) list.append(tag("li", withDetail(`${part.installed ? "☑" : "☐"} ${part.label} (${part.cost})`, part.detail)));
    }
    if (list.children.length) box.append(list);
    return box;
  };

  const draw = (animated) => {
    const frame = film.frames[at];
    board.classList.toggle("jump", !animated);
    const [width, height] = state.size;
    if (shownSize !== `${width} ${height}`) {
      shownSize = `${width} ${height}`;
      document.body.classList.toggle("wide", width > 1.7 * height);
      board.setAttribute("viewBox", `-4 -4 ${width * 100 + 8} ${height * 100 + 8}`);
      back.setAttribute("width", width * 100);
      back.setAttribute("height", height * 100);
    }
    drawGround();
    drawSprites();
    if (shownMarks !== state.marks) drawMarks();
    if (shownEdges !== state.edges) drawEdges();
    if (shownPanels !== state.panels) find("panels").replaceChildren(...state.panels.map((n) => drawPanel(film.panels[n])));
    [shownMarks, shownEdges, shownPanels] = [state.marks, state.edges, state.panels];
    find("panels").hidden = state.panels.length === 0;
    find("title").textContent = state.title;
    find("caption").textContent = frame.caption || "";
    find("scrub").value = at;
    find("scrub").setAttribute("aria-valuetext", `step ${frame.step} of ${film.frames[last].step}`);
    find("counter").textContent = `${frame.step} / ${film.frames[last].step}`;
    markEvents();
    tell("TURN", { turn: frame.step });
  };

  // ---------------------------------------------------------------- what happened

  const events = [];
  film.frames.forEach((frame, n) => {
    for (const line of frame.lines || []) {
      const item = tag("li");
      const button = tag("button");
      button.type = "button";
      button.append(tag("span", String(frame.step), "step"), tag("span", line));
      button.addEventListener("click", () => { pause(); show(n); });
      item.append(button);
      events.push({ n, button });
    }
  });
  find("events").append(...events.map((event) => event.button.parentNode));
  const markEvents = () => {
    let newest = null;
    for (const event of events) {
      event.button.classList.toggle("later", event.n > at);
      event.button.classList.toggle("now", event.n === at);
      if (event.n <= at) newest = event.button;
    }
    const list = find("events");
    list.scrollTop = newest ? newest.parentNode.offsetTop - list.clientHeight / 2 : 0;
  };

  // ---------------------------------------------------------------- the controls

  let timer = 0;
  const pace = () => film.msPerFrame / Number(find("speed").value);
  const tell = (event, data) => { if (window.parent !== window) window.parent.postMessage({ event, data }, "*"); };
  const show = (n) => {
    const to = Math.max(0, Math.min(last, n));
    const near = Math.abs(to - at) === 1;
    board.style.setProperty("--move", `${Math.min(320, Math.round(pace() * 0.85))}ms`);
    go(to);
    draw(near);
  };
  const tick = () => {
    if (at >= last) return pause();
    show(at + 1);
    if (at >= last) tell("GAME_OVER", {});
    timer = setTimeout(tick, pace());
  };
  const signs = { play: "M5 3l12 7-12 7z", pause: "M4 3h4v14H4zM12 3h4v14h-4z" };
  const playing = (yes) => {
    find("play-sign").setAttribute("d", yes ? signs.pause : signs.play);
    find("play").setAttribute("aria-label", yes ? "pause" : "play");
    find("caption").setAttribute("aria-live", yes ? "off" : "polite"); // a film in motion would talk without end
  };
  const pause = () => { clearTimeout(timer); timer = 0; playing(false); };
  const play = () => {
    if (at >= last) show(0);
    playing(true);
    clearTimeout(timer);
    timer = setTimeout(tick, pace());
  };
  const toggle = () => (timer ? pause() : play());
  const step = (by) => { pause(); show(at + by); };
  const faster = (by) => {
    const speed = find("speed");
    speed.selectedIndex = Math.max(0, Math.min(speed.options.length - 1, speed.selectedIndex + by));
  };
  const theme = () => {
    const root = document.documentElement;
    const dark = root.dataset.theme ? root.dataset.theme === "dark" : matchMedia("(prefers-color-scheme: dark)").matches;
    root.dataset.theme = dark ? "light" : "dark";
  };
  find("scrub").max = last;
  find("scrub").addEventListener("input", (event) => { pause(); show(Number(event.target.value)); });
  find("play").addEventListener("click", toggle);
  find("first").addEventListener("click", () => step(-at));
  find("last").addEventListener("click", () => step(last - at));
  find("back").addEventListener("click", () => step(-1));
  find("next").addEventListener("click", () => step(1));
  find("theme").addEventListener("click", theme);
  const keys = {
    " ": toggle, k: toggle, ArrowRight: () => step(1), ArrowLeft: () => step(-1), PageDown: () => step(10), PageUp: () => step(-10),
    Home: () => step(-at), End: () => step(last - at), ArrowUp: () => faster(1), ArrowDown: () => faster(-1),
    "+": () => faster(1), "-": () => faster(-1), t: theme,
  };
  document.addEventListener("keydown", (event) => {
    const own = event.target.closest("button, select");
    if (event.ctrlKey || event.metaKey || event.altKey || !keys[event.key]) return;
    if (own && (event.key === " " || own.tagName === "SELECT")) return; // the focused control means itself
    event.preventDefault();
    keys[event.key]();
  });

  film.players.forEach((player, seat) => {
    const item = tag("li", "", player.won ? "won" : "");
    item.append(seatSign(seat % film.seatColours.length), tag("span", player.name));
    find("players").append(item);
  });
  const wish = new URLSearchParams(location.search);
  if (wish.get("theme") === "dark" || wish.get("theme") === "light") document.documentElement.dataset.theme = wish.get("theme");
  if (wish.has("speed")) for (const option of find("speed").options) option.selected = option.value === wish.get("speed");
  const turn = Number(wish.get("turn"));
  const start = turn ? film.frames.findIndex((frame) => frame.step >= turn && !frame.inside) : 0;
  go(start < 0 ? last : start);
  draw(false);
  if (wish.get("autoplay") === "1") play();
})();
