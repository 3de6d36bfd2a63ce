// Loudness of a short sound by ITU-R BS.1770: K-weighting, then the loudest 400 ms.

/** coefficients b0 b1 b2 a1 a2 of a filter of second order */
type Filter = [number, number, number, number, number];

function highShelf(rate: number): Filter {
  const [f0, gain, q] = [1681.974450955533, 3.999843853973347, 0.7071752369554196];
  const k = Math.tan((Math.PI * f0) / rate);
  const vh = 10 ** (gain / 20);
  const vb = vh ** 0.4996667741545416;
  const a0 = 1 + k / q + k * k;
  return [
    (vh + (vb * k) / q + k * k) / a0,
    (2 * (k * k - vh)) / a0,
    (vh - (vb * k) / q + k * k) / a0,
    (2 * (k * k - 1)) / a0,
    (1 - k / q + k * k) / a0,
  ];
}
function highPass(rate: number): Filter {
  const [f0, q] = [38.13547087602444, 0.5003270373238773];
  const k = Math.tan((Math.PI * f0) / rate);
  const a0 = 1 + k / q + k * k;
  return [1, -2, 1, (2 * (k * k - 1)) / a0, (1 - k / q + k * k) / a0];
}
function filtered(data: Float32Array, [b0, b1, b2, a1, a2]: Filter): Float32Array {
  const out = new Float32Array(data.length);
  let [x1, x2, y1, y2] = [0, 0, 0, 0];
  for (let n = 0; n < data.length; n++) {
    const x = data[n]!;
    const y = b0 * x + b1 * x1 + b2 * x2 - a1 * y1 - a2 * y2;
    [x2, x1, y2, y1] = [x1, x, y1, y];
    out[n] = y;
  }
  return out;
}

/** Return the largest momentary loudness in LUFS; a shorter sound counts as followed by silence. */
export function loudness(data: Float32Array, rate: number): number {
  const weighted = filtered(filtered(data, highShelf(rate)), highPass(rate));
  const window = Math.round(0.4 * rate);
  let sum = 0;
  let most = 0;
  for (let n = 0; n < weighted.length; n++) {
    sum += weighted[n]! ** 2;
    if (n >= window) sum -= weighted[n - window]! ** 2;
    most = Math.max(most, sum / window);
  }
  return most > 0 ? -0.691 + 10 * Math.log10(most) : -Infinity;
}
