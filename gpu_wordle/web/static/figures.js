// Formats of figures. Exact fractions are kept where there is room for them.

const GROUPED = new Intl.NumberFormat("en-GB");

export function whole(value) {
  return value === null || value === undefined ? "–" : GROUPED.format(value);
}

export function decimal(value, digits = 3) {
  if (value === null || value === undefined || !Number.isFinite(value)) return "–";
  return value.toFixed(digits).replace("-", "−");
}

export function signed(value, digits = 3) {
  if (value === null || value === undefined) return "–";
  return value > 0 ? `+${decimal(value, digits)}` : decimal(value, digits);
}

export function percent(value, digits = 0) {
  return value === null || value === undefined ? "–" : `${decimal(100 * value, digits)} %`;
}

// A probability in whole percents; a possible event is never shown as 0 %.
export function likely(value) {
  return value > 0 && value < 0.01 ? "< 1 %" : percent(value);
}

export function counted(count, one, many = `${one}s`) {
  return `${whole(count)} ${count === 1 ? one : many}`;
}

// The divisor that turns totals into means; null if values are not sums of guesses over the answers.
export function sharedBy({ weight, weights, objective }) {
  return weights === null && ["mean", "mean,worst"].includes(objective) ? weight : null;
}

// The mean number of guesses, exact or between bounds.
export function meanOf(row, weight) {
  if (row.infeasible) return "no guaranteed win";
  if (row.mean !== null && row.mean !== undefined) return decimal(row.mean);
  const shared = (total) => (weight === null || total === null || total === undefined ? null : total / weight);
  const [lower, upper] = [shared(row.lower), shared(row.upper)];
  if (lower === null && upper === null) return "…";
  if (lower === upper) return decimal(lower);
  return `${lower === null ? "?" : decimal(lower)} … ${upper === null ? "?" : decimal(upper)}`;
}

// A figure of any key, formatted by its size and by whether it is whole.
export function shown(value, digits = 3) {
  if (value === null || value === undefined) return "–";
  if (value === true || value === false) return value ? "yes" : "no";
  if (typeof value !== "number") return String(value);
  return Number.isInteger(value) ? whole(value) : decimal(value, digits);
}
