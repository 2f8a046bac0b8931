import { hmac } from '../kit/hash.ts'
import type { CounterAnswer, CounterRule } from './counter-rule.ts'
import type { Env } from './env.ts'
import type { IoCount } from './io.ts'

export interface Counters {
  hit(key: string, rule: CounterRule): Promise<CounterAnswer>
  advance(key: string, step: number, keep: number): Promise<boolean>
  forget(key: string): Promise<void>
}

/** Strict counters, one Durable Object a key. */
export function counters(namespace: Env['COUNTER'], secret: string, io: IoCount): Counters {
  const stub = (key: string) => {
    io.durable++
    return namespace.getByName(hmac(secret, `counter:${key}`))
  }
  return {
    hit: async (key, rule) => stub(key).hit(rule),
    advance: async (key, step, keep) => stub(key).advance(step, keep),
    forget: async (key) => stub(key).forget(),
  }
}
