import { hmac } from '../kit/hash.ts'
import { bounded, timeouts } from './bounded.ts'
import type { CounterAnswer, CounterRule, JudgedCode, Judgement, SentCode } from './durable/counter-rule.ts'
import type { Env } from './env.ts'
import type { IoCount } from './io.ts'

export interface Counters {
  hit(key: string, rule: CounterRule): Promise<CounterAnswer>
  /** Takes back one hit whose purpose failed. */
  giveBack(key: string): Promise<void>
  /** @see Counter.judge */
  judge(key: string, rule: CounterRule, step: number | null, keep: number): Promise<Judgement>
  /** Takes back an accepted step, or a counted guess. */
  withdraw(key: string, step: number | null): Promise<void>
  putCode(key: string, holder: string, code: SentCode): Promise<void>
  /** @see Counter.judgeCode */
  judgeCode(key: string, rule: CounterRule, holder: string, code: string): Promise<JudgedCode>
  forget(key: string): Promise<void>
}

/** Strict counters, one Durable Object for each key. A timeout of `limit` milliseconds is a Fault. */
export function counters(
  namespace: Env['COUNTER'],
  secret: string,
  io: IoCount,
  limit: number = timeouts.required,
): Counters {
  const stub = (key: string) => {
    io.durable++
    return namespace.getByName(hmac(secret, `counter:${key}`))
  }
  const sealed = (key: string, code: string) => hmac(secret, `code:${key}:${code}`)
  const reach = <T>(work: () => Promise<T>) => bounded('counter', limit, work)
  return {
    hit: (key, rule) => reach(async () => stub(key).hit(rule)),
    giveBack: (key) => reach(async () => stub(key).giveBack()),
    judge: (key, rule, step, keep) => reach(async () => stub(key).judge(rule, step, keep)),
    withdraw: (key, step) => reach(async () => stub(key).withdraw(step)),
    putCode: (key, holder, sent) =>
      reach(async () => stub(key).putCode(holder, { ...sent, code: sealed(key, sent.code) })),
    judgeCode: (key, rule, holder, code) => reach(async () => stub(key).judgeCode(rule, holder, sealed(key, code))),
    forget: (key) => reach(async () => stub(key).forget()),
  }
}
