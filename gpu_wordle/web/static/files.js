export class Outside extends Error {}
export async function answerFrom() { throw new Outside("not yet"); }
