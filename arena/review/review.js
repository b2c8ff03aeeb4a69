// Shows the positions of a reviewed game: the graph, the table and the board go together.
(function () {
  "use strict";

  const CELL = 24, EDGE = 32, RADIUS = 11;
  const game = JSON.parse(document.getElementById("game").textContent);
  const { size, moves, boards, judged } = game;
  const svg = document.querySelector(".review .board");
  const graph = document.querySelector(".graph");
  const told = document.querySelector(".told");
  const rows = [...document.querySelectorAll(".turning tbody tr")];
  let ply = moves.length;

  const at = (index) => EDGE + CELL * index;
  // a1 is at the bottom left.
  const nameOf = ([x, y]) => String.fromCharCode(97 + x) + (size - y);

  function grid() {
    const low = EDGE, high = at(size - 1);
    let lines = "", labels = "";
    for (let i = 0; i < size; i++) {
      lines += `M${low} ${at(i)}H${high}M${at(i)} ${low}V${high}`;
      labels += `<text class="coordinate" x="${at(i)}" y="15">${String.fromCharCode(97 + i)}</text>`;
      labels += `<text class="coordinate" x="12" y="${at(i) + 4}">${size - i}</text>`;
    }
    const stars = game.stars
      .map(([x, y]) => `<circle class="star" cx="${at(x)}" cy="${at(y)}" r="3"/>`).join("");
    return `<path d="${lines}"/>${stars}${labels}`;
  }

  function circle(kind, [x, y], radius) {
    return `<circle class="${kind}" cx="${at(x)}" cy="${at(y)}" r="${radius}"/>`;
  }

  // The better line is drawn where the move that follows in the game is another one.
  function better() {
    const line = judged[ply].line;
    const next = moves[ply];
    if (!next || !line.length || String(line[0]) === String(next)) return "";
    const seen = new Set(boards[ply].stones.map(([x, y]) => x + "," + y));
    let shapes = circle("next", next, RADIUS);
    line.slice(0, 9).forEach((point, index) => {
      if (seen.has(String(point))) return;
      seen.add(String(point));
      const [x, y] = point;
      shapes += `<text class="number" x="${at(x)}" y="${at(y) + 4}">${index + 1}</text>`;
    });
    return shapes;
  }

  function words() {
    const { black, score, line } = judged[ply];
    const lines = [ply ? `after move ${ply}, ${nameOf(moves[ply - 1])}` : "before the first move"];
    if (black !== null) lines.push(`Black wins ${(100 * black).toFixed(1)} %`);
    if (score) lines.push(`the side to move: ${score}`);
    if (moves[ply]) lines.push(`played next: ${nameOf(moves[ply])}`);
    if (line.length) lines.push(`best: ${line.map(nameOf).join(" ")}`);
    const captures = boards[ply].captures;
    if (captures[0] + captures[1]) lines.push(`pairs taken: ${captures[0]} : ${captures[1]}`);
    return lines.join("\n");
  }

  function show(to) {
    ply = Math.max(0, Math.min(moves.length, to));
    const side = 2 * EDGE + CELL * (size - 1);
    svg.setAttribute("viewBox", `0 0 ${side} ${side}`);
    svg.setAttribute("aria-label", `The board after move ${ply}`);
    let shapes = grid();
    for (const [x, y, color] of boards[ply].stones) shapes += circle(color, [x, y], RADIUS);
    if (ply) shapes += circle("last", moves[ply - 1], RADIUS + 1);
    svg.innerHTML = shapes + better();
    told.textContent = words();
    const { left, right } = graph.dataset;
    const x = Number(left) + (Number(right) - Number(left)) * ply / Math.max(1, moves.length);
    const now = graph.querySelector(".now");
    now.setAttribute("x1", x);
    now.setAttribute("x2", x);
    // A turning point is shown where it was missed: before the move.
    for (const row of rows) row.classList.toggle("now", Number(row.dataset.ply) === ply + 1);
  }

  graph.addEventListener("click", (event) => {
    const box = graph.getBoundingClientRect();
    const { left, right, width } = graph.dataset;
    const x = (event.clientX - box.left) * Number(width) / box.width;
    show(Math.round((x - left) / (right - left) * moves.length));
  });
  for (const row of rows) {
    const go = () => show(Number(row.dataset.ply) - 1);
    row.addEventListener("click", go);
    row.addEventListener("keydown", (event) => { if (event.key === "Enter") go(); });
  }
  const places = {
    first: () => 0, back: () => ply - 1, forward: () => ply + 1, last: () => moves.length,
  };
  for (const button of document.querySelectorAll("[data-go]"))
    button.addEventListener("click", () => show(places[button.dataset.go]()));
  document.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.altKey || event.metaKey) return;
    if (event.key === "ArrowLeft") show(ply - 1);
    else if (event.key === "ArrowRight") show(ply + 1);
    else return;
    event.preventDefault();
  });
  show(rows.length ? Number(rows[0].dataset.ply) - 1 : moves.length);
})();
