// Clicks through games: a viewer for each opened card, and the filter above the list.
(function () {
  "use strict";

  // The same measures as in games.py.
  const CELL = 24, EDGE = 32, RADIUS = 11;
  const COLORS = ["black", "white"];
  const viewers = new Map();
  let current = null;

  const at = (index) => EDGE + CELL * index;
  const nameOf = (x, y) => String.fromCharCode(97 + x) + (y + 1);

  function circle(kind, x, y, radius) {
    return `<circle class="${kind}" cx="${at(x)}" cy="${at(y)}" r="${radius}"/>`;
  }

  function timeText(ms) {
    return ms < 1000 ? `${ms} ms` : `${(ms / 1000).toFixed(ms < 10000 ? 2 : 1)} s`;
  }

  function countText(count) {
    for (const [limit, unit] of [[1e9, "G"], [1e6, "M"], [1e3, "k"]])
      if (count >= limit) return (count / limit).toPrecision(3) + unit;
    return String(count);
  }

  function make(tag, kind, text) {
    const element = document.createElement(tag);
    if (kind) element.className = kind;
    if (text !== undefined) element.textContent = text;
    return element;
  }

  // Shapes, not characters: fonts differ in what they have of these signs.
  const ICONS = {
    first: "M2 1h2v10H2zM11 1v10L5 6z",
    back: "M8.2 0.8 9.6 2.2 5.8 6 9.6 9.8 8.2 11.2 3 6z",
    play: "M3 1v10l7-5z",
    pause: "M2.5 1h2.5v10H2.5zM7 1h2.5v10H7z",
    forward: "M3.8 0.8 2.4 2.2 6.2 6 2.4 9.8 3.8 11.2 9 6z",
    last: "M8 1h2v10H8zM1 1v10l6-5z",
  };

  function setIcon(element, name) {
    element.innerHTML =
      `<svg width="12" height="12" viewBox="0 0 12 12" aria-hidden="true"><path d="${ICONS[name]}"/></svg>`;
  }

  function button(label, icon, act) {
    const element = make("button");
    element.type = "button";
    setIcon(element, icon);
    element.title = label;
    element.setAttribute("aria-label", label);
    element.addEventListener("click", act);
    return element;
  }

  class Viewer {
    constructor(card) {
      this.card = card;
      this.game = JSON.parse(card.querySelector('script[type="application/json"]').textContent);
      this.moves = this.game.moves;
      this.board = card.querySelector("svg.board");
      this.timer = null;
      this.numbered = false;
      this.addControls();
      this.addList();
      this.board.addEventListener("click", (event) => {
        const box = this.board.getBoundingClientRect();
        this.step(event.clientX < box.left + box.width / 3 ? -1 : 1);
      });
      card.addEventListener("pointerdown", () => { current = this; });
      card.addEventListener("focusin", () => { current = this; });
      this.show(this.moves.length);
    }

    addControls() {
      const bar = make("div", "controls");
      const go = (where) => () => { this.pause(); this.show(where()); };
      this.slider = make("input");
      Object.assign(this.slider, { type: "range", min: 0, max: this.moves.length });
      this.slider.setAttribute("aria-label", "move");
      this.slider.addEventListener("input", go(() => Number(this.slider.value)));
      this.player = button("play or pause", "play", () => (this.timer ? this.pause() : this.play()));
      this.count = make("output");
      const numbers = make("label", "numbers", " numbers");
      const box = make("input");
      box.type = "checkbox";
      box.addEventListener("change", () => { this.numbered = box.checked; this.show(this.ply); });
      numbers.prepend(box);
      bar.append(
        button("first position", "first", go(() => 0)),
        button("back (\u2190)", "back", () => this.step(-1)),
        this.player,
        button("forward (\u2192)", "forward", () => this.step(1)),
        button("last position", "last", go(() => this.moves.length)),
        this.slider, this.count, numbers,
      );
      this.card.querySelector("figure").append(bar);
    }

    addList() {
      const table = make("table", "moves");
      const head = table.createTHead().insertRow();
      for (const title of ["", "move", "time", "depth", "score", "nodes"])
        head.append(make("th", "", title));
      const body = table.createTBody();
      this.rows = this.moves.map((move, index) => {
        const [x, y, color, captured, ms, depth, score, nodes] = move;
        const row = body.insertRow();
        row.insertCell().textContent = index + 1;
        const cell = row.insertCell();
        cell.append(make("i", "dot " + COLORS[color]), nameOf(x, y));
        if (captured.length) cell.append(make("span", "takes", " \u00d7" + captured.length));
        const told = ms === undefined
          ? ["opening", "", "", ""]
          : [timeText(ms), depth ?? "", score ?? "", nodes === null ? "" : countText(nodes)];
        for (const text of told) row.insertCell().textContent = text;
        if (ms === undefined) row.className = "opening";
        row.addEventListener("click", () => { this.pause(); this.show(index + 1); });
        return row;
      });
      this.list = make("div", "list");
      this.list.tabIndex = 0;
      this.list.append(table);
      this.card.querySelector(".side").append(this.list);
    }

    // The stones after some moves: square -> [colour, number of the move].
    stones(ply) {
      const stones = new Map();
      this.moves.slice(0, ply).forEach(([x, y, color, captured], index) => {
        stones.set(x + "," + y, [color, index + 1]);
        for (const [cx, cy] of captured) stones.delete(cx + "," + cy);
      });
      return stones;
    }

    show(ply) {
      this.ply = Math.max(0, Math.min(this.moves.length, ply));
      const stones = this.stones(this.ply);
      let shapes = "", marks = "";
      for (const [square, [color, number]] of stones) {
        const [x, y] = square.split(",").map(Number);
        shapes += circle(COLORS[color], x, y, RADIUS);
        if (this.numbered)
          marks += `<text class="${COLORS[color]}" x="${at(x)}" y="${at(y) + 3.5}">${number}</text>`;
      }
      const last = this.moves[this.ply - 1];
      if (last) {
        const [x, y, color, captured] = last;
        marks += this.numbered
          ? circle("ring", x, y, RADIUS) : circle("last " + COLORS[color], x, y, 4);
        for (const [cx, cy] of captured) marks += circle("gone " + COLORS[1 - color], cx, cy, 7);
      }
      if (this.ply === this.moves.length)
        for (const [x, y] of this.game.five) marks += circle("five", x, y, RADIUS);
      this.board.querySelector(".stones").innerHTML = shapes;
      this.board.querySelector(".marks").innerHTML = marks;
      this.board.setAttribute("aria-label", `The board after move ${this.ply}`);
      this.slider.value = this.ply;
      this.count.textContent = `${this.ply} / ${this.moves.length}`;
      this.showPairs();
      this.markRow();
    }

    showPairs() {
      const pairs = [0, 0];
      for (const [, , color, captured] of this.moves.slice(0, this.ply))
        pairs[color] += captured.length / 2;
      COLORS.forEach((name, color) => {
        const cell = this.card.querySelector(`[data-pairs="${name}"]`);
        if (cell) cell.textContent = pairs[color];
      });
    }

    markRow() {
      this.rows.forEach((row, index) => row.classList.toggle("now", index === this.ply - 1));
      const row = this.rows[this.ply - 1];
      // Only the list is scrolled; scrollIntoView would move the page too.
      const middle = row ? row.offsetTop - this.list.clientHeight / 2 : 0;
      this.list.scrollTop = middle;
    }

    step(by) {
      this.pause();
      this.show(this.ply + by);
    }

    play() {
      if (this.ply === this.moves.length) this.show(0);
      setIcon(this.player, "pause");
      this.timer = setInterval(() => {
        if (this.ply === this.moves.length || !this.card.open) this.pause();
        else this.show(this.ply + 1);
      }, 600);
    }

    pause() {
      clearInterval(this.timer);
      this.timer = null;
      setIcon(this.player, "play");
    }
  }

  function opened(card) {
    if (!viewers.has(card)) viewers.set(card, new Viewer(card));
    current = viewers.get(card);
    current.markRow();
  }

  function openFromAddress() {
    const card = document.getElementById(location.hash.slice(1));
    if (card && card.matches("details.game")) {
      card.hidden = false;
      card.open = true;
    }
  }

  const cards = [...document.querySelectorAll("details.game")];
  for (const card of cards)
    card.addEventListener("toggle", () => { if (card.open) opened(card); });

  document.addEventListener("keydown", (event) => {
    if (!current || !current.card.open || event.ctrlKey || event.altKey || event.metaKey) return;
    if (event.target.matches("input, select")) return;
    const inside = current.card.contains(event.target);
    const where = {
      ArrowLeft: current.ply - 1,
      ArrowRight: current.ply + 1,
      Home: inside ? 0 : undefined,
      End: inside ? current.moves.length : undefined,
    }[event.key];
    if (where === undefined) return;
    event.preventDefault();
    current.pause();
    current.show(where);
  });

  const form = document.querySelector("form.filter");
  function filter() {
    const { one, two, forfeits } = form.elements;
    let shown = 0;
    for (const card of cards) {
      const players = [card.dataset.black, card.dataset.white];
      const mine = !one.value || players.includes(one.value);
      const theirs = !two.value || (one.value === two.value
        ? players[0] === players[1] : players.includes(two.value));
      card.hidden = !(mine && theirs && (!forfeits.checked || card.dataset.forfeit));
      shown += !card.hidden;
    }
    form.querySelector("output").textContent = `${shown} of ${cards.length} games`;
  }
  form.addEventListener("change", filter);
  form.addEventListener("submit", (event) => event.preventDefault());
  for (const link of document.querySelectorAll("a[data-pair]"))
    link.addEventListener("click", () => {
      [form.elements.one.value, form.elements.two.value] = link.dataset.pair.split("-");
      form.elements.forfeits.checked = false;
      filter();
    });
  form.hidden = false;
  filter();
  window.addEventListener("hashchange", openFromAddress);
  openFromAddress();
})();
