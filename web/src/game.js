// @ts-check
/**
 * A game as a tree of moves. It knows no rules: what a move does is asked of the core.
 *
 * @typedef {import("./core.js").Square} Square
 * @typedef {{rule: number, size: number, black: string, white: string, result: string,
 *            setup: import("./core.js").Setup | null}} Head
 */
import { same } from "./squares.js";

let nodes = 0;

export class Node {
  /**
   * @param {Square | null} move null at the root
   * @param {Node | null} parent
   */
  constructor(move, parent) {
    this.id = ++nodes;
    this.move = move;
    this.parent = parent;
    /** @type {Node[]} the first is the main line */
    this.children = [];
    this.comment = "";
    /** @type {Map<string, string>} values of other SGF properties by name, as text: "[h8][i9]" */
    this.properties = new Map();
    /** @type {number | null} the mover's chance to win after this move, 0 to 1 */
    this.chance = null;
    /** @type {number | null} milliseconds that the move took */
    this.timeMs = null;
  }

  /** How many moves lead here. */
  get ply() {
    let count = 0;
    for (let node = this.parent; node; node = node.parent) count++;
    return count;
  }

  /** @returns {Node[]} from the first move to this node */
  path() {
    /** @type {Node[]} */
    const nodes = [];
    for (let node = /** @type {Node | null} */ (this); node?.parent; node = node.parent)
      nodes.unshift(node);
    return nodes;
  }

  /** @returns {Node[]} the last nodes of all lines from here, that of the main line first */
  ends() {
    /** @type {Node[]} */
    const found = [];
    /** @type {Node[]} */
    const left = [this];
    for (let node = left.pop(); node; node = left.pop()) {
      if (!node.children.length) found.push(node);
      left.push(...[...node.children].reverse());
    }
    return found;
  }

  /** @returns {Node} the last node of the main line from here */
  end() {
    let node = /** @type {Node} */ (this);
    while (node.children.length) node = node.children[0];
    return node;
  }
}

export class Game {
  /** @param {Partial<Head>} [head] */
  constructor(head = {}) {
    /** @type {Head} */
    this.head = { rule: 0, size: 15, black: "", white: "", result: "", setup: null, ...head };
    this.root = new Node(null, null);
    this.current = this.root;
  }

  /** @returns {Square[]} the moves that lead to the current node */
  get moves() {
    return this.current.path().map((node) => /** @type {Square} */ (node.move));
  }

  /** Which colour is to move at the current node: 1 Black, 2 White. */
  get toMove() {
    const first = this.head.setup?.toMove ?? 1;
    return this.current.ply % 2 === 0 ? first : 3 - first;
  }

  /** How many stones were placed up to the current node, captured ones too. */
  get placed() {
    const { setup } = this.head;
    const before = [setup?.black, setup?.white, setup?.neutral ?? undefined];
    return before.reduce((count, stones) => count + (stones?.length ?? 0), this.current.ply);
  }

  /** What the engine is asked about. */
  get position() {
    const { size, rule, setup } = this.head;
    return { size, rule, moves: this.moves, setup: setup ?? undefined };
  }

  /**
   * Goes on to a move from the current node: an existing child, or a new variation.
   *
   * @param {Square} move
   * @returns {Node}
   */
  play(move) {
    const known = this.current.children.find((child) => child.move && same(child.move, move));
    if (!known) return this.append(move);
    this.current = known;
    return known;
  }

  /**
   * Goes on to a new node after the current one, even if it has a child with this move.
   *
   * @param {Square} move
   * @returns {Node}
   */
  append(move) {
    const node = new Node(move, this.current);
    this.current.children.push(node);
    this.current = node;
    return node;
  }

  /**
   * Ends a line with a node. The moves after it go to a variation that repeats the node's move. At
   * the root they stay. Ignores nodes of other trees.
   *
   * @param {Node} node
   */
  endWith(node) {
    if (!node.parent || !node.children.length || !this.has(node)) return;
    const twin = new Node(node.move, node.parent);
    twin.children = node.children;
    for (const child of twin.children) child.parent = twin;
    node.children = [];
    node.parent.children.splice(node.parent.children.indexOf(node) + 1, 0, twin);
  }

  /**
   * Adds a line of moves below a node, without going there.
   *
   * @param {Node} from
   * @param {Square[]} line
   * @returns {Node} the last node
   */
  add(from, line) {
    const here = this.current;
    this.current = from;
    for (const move of line) this.play(move);
    const last = this.current;
    this.current = here;
    return last;
  }

  /** Whether a node is in this tree, and not removed. @param {Node} node */
  has(node) {
    let at = node;
    for (; at.parent; at = at.parent) if (!at.parent.children.includes(at)) return false;
    return at === this.root;
  }

  /** Removes a node and the moves after it. Ignores nodes of other trees. @param {Node} node */
  remove(node) {
    if (!node.parent || !this.has(node)) return;
    if (this.current.path().includes(node)) this.current = node.parent;
    node.parent.children.splice(node.parent.children.indexOf(node), 1);
  }

  /** Makes a node's line the main line. Ignores nodes of other trees. @param {Node} node */
  promote(node) {
    if (!this.has(node)) return;
    for (const step of node.path()) {
      const siblings = /** @type {Node} */ (step.parent).children;
      siblings.splice(siblings.indexOf(step), 1);
      siblings.unshift(step);
    }
  }

  back() {
    if (this.current.parent) this.current = this.current.parent;
  }

  forward() {
    if (this.current.children.length) this.current = this.current.children[0];
  }

  start() {
    this.current = this.root;
  }

  end() {
    this.current = this.current.end();
  }

  /** Goes to the next sibling, cyclically. @param {number} step */
  sideways(step) {
    const siblings = this.current.parent?.children ?? [];
    if (siblings.length < 2) return;
    const at = siblings.indexOf(this.current) + step;
    this.current = siblings[(at + siblings.length) % siblings.length];
  }
}
