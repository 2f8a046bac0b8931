/** At most `max` hits in a window of `window` seconds, which begins with its first hit, or with `rolling` in any window. */
export interface CounterRule {
  max: number
  window: number
  /** Hits that one call counts, all or none. @default 1 */
  by?: number
  /** Stores the time of each hit: for a `max` of some hundreds. */
  rolling?: boolean
}

export interface CounterAnswer {
  allowed: boolean
  /** Hits in this window without rejected ones. */
  count: number
  /** Whole seconds until the window ends. */
  retryAfter: number
}

/** `right`: only this call accepts the step. `limited`: the guess was not compared. */
export type Judgement =
  | { kind: 'right' }
  /** `isLast`: the rule admits no further guess in this window. */
  | { kind: 'wrong'; isLast: boolean }
  | { kind: 'limited'; retryAfter: number }

/** A sent code that waits for its guess. */
export interface SentCode {
  code: string
  /** Unix time in milliseconds. */
  expiresAt: number
  /** Guesses at this one code. */
  maxAttempts: number
}

/**
 * The result of a guess at a sent code. A right guess uses nothing: the batch of its effect does (`used_records`), by
 * `serial`. `gone`: the code does not exist or has expired.
 */
export type JudgedCode =
  | { kind: 'right'; serial: string; expiresAt: number }
  | { kind: 'wrong' | 'too-many' | 'gone'; isLast: boolean }
  | { kind: 'limited'; retryAfter: number }
