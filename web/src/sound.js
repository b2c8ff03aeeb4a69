// @ts-check
/** The sound of a stone, made on the spot. */

/** @type {AudioContext | undefined} */
let context;

export function click() {
  context ??= new AudioContext();
  const { currentTime: now, destination } = context;
  const tone = context.createOscillator();
  const volume = context.createGain();
  tone.type = "triangle";
  tone.frequency.setValueAtTime(900, now);
  tone.frequency.exponentialRampToValueAtTime(180, now + 0.05);
  volume.gain.setValueAtTime(0.25, now);
  volume.gain.exponentialRampToValueAtTime(0.001, now + 0.09);
  tone.connect(volume).connect(destination);
  tone.start(now);
  tone.stop(now + 0.1);
}
