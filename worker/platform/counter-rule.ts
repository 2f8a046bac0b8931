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
