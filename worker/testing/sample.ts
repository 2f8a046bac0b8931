/** Whether every case runs: `npm run test:all`, and files that are named. `npm test` runs a sample of a matrix. */
export const everything = process.env.TEST_SAMPLE !== '1'

/** All cases of a matrix, or so many of them, from all its parts. */
export const sample = <T>(cases: readonly T[], size: number): readonly T[] =>
  everything || cases.length <= size
    ? cases
    : Array.from({ length: size }, (_, at) => cases[Math.floor((at * cases.length) / size)]!)
