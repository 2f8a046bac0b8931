/** I/O of a request: the round trips before the response. */
export interface IoCount {
  d1: number
  kv: number
  durable: number
  r2: number
  outside: number
}

/** The maximum before the response. */
export interface IoBudget extends Partial<IoCount> {
  /** Rows of D1, with the entries of indexes, which only tests count (testing/harness.ts). */
  read?: number
  written?: number
}

/** For every endpoint without its own. */
const defaultRows = { read: 100, written: 80 }

export const rowBudgetOf = ({ read = defaultRows.read, written = defaultRows.written }: IoBudget) => ({ read, written })

export const noIo = (): IoCount => ({ d1: 0, kv: 0, durable: 0, r2: 0, outside: 0 })

export const sumOf = (one: IoBudget, other: IoCount): IoCount => ({
  d1: (one.d1 ?? 0) + other.d1,
  kv: (one.kv ?? 0) + other.kv,
  durable: (one.durable ?? 0) + other.durable,
  r2: (one.r2 ?? 0) + other.r2,
  outside: (one.outside ?? 0) + other.outside,
})

/** The kinds of I/O above the budget. */
export const overBudget = (used: IoCount, budget: IoBudget): (keyof IoCount)[] =>
  (Object.keys(used) as (keyof IoCount)[]).filter((kind) => used[kind] > (budget[kind] ?? 0))

/** `d1;desc="1/2", kv;desc="0/0", ...`: used and declared, for the Server-Timing header (Server Timing, W3C). */
export const describeIo = (used: IoCount, budget: IoBudget): string =>
  (Object.keys(used) as (keyof IoCount)[]).map((kind) => `${kind};desc="${used[kind]}/${budget[kind] ?? 0}"`).join(', ')
