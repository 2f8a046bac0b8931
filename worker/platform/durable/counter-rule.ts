/** At most `max` hits in a window of `window` seconds, which begins with its first hit. */
export interface CounterRule {
  max: number
  window: number
}

export interface CounterAnswer {
  allowed: boolean
  /** Hits in this window, refused ones not counted. */
  count: number
  /** Whole seconds until the window ends. */
  retryAfter: number
}

/** `right`: the step is accepted, by this call alone. `limited`: the guess was not looked at. */
export type Judgement = { kind: 'right' } | { kind: 'wrong' } | { kind: 'limited'; retryAfter: number }

/** A code that was sent, and waits for its guess. */
export interface SentCode {
  code: string
  /** Unix time in milliseconds. */
  expiresAt: number
  /** Guesses at this one code. */
  maxAttempts: number
}

/**
 * What a guess at a sent code is worth. A right one uses nothing: the batch of what it is for does (`used_records`),
 * by `serial`. `gone`: there is no code, or it has expired.
 */
export type JudgedCode =
  | { kind: 'right'; serial: string; expiresAt: number }
  | { kind: 'wrong' | 'too-many' | 'gone' }
  | { kind: 'limited'; retryAfter: number }
