import { Fault } from '../kit/errors.ts'
import { ms, seconds } from '../kit/time.ts'
import type { IoCount } from './io.ts'

export type Outside = (url: string, init?: RequestInit & { timeout?: number }) => Promise<Response>

/**
 * fetch for what lies outside: always with a time-out (s), never following a redirect unless told, counted.
 * A service that cannot be reached is a Fault.
 */
export function outside(io: IoCount): Outside {
  return async (url, { timeout = seconds(5), ...init } = {}) => {
    io.outside++
    try {
      return await fetch(url, { redirect: 'manual', ...init, signal: AbortSignal.timeout(ms(timeout)) })
    } catch (thrown) {
      throw new Fault(new URL(url).host, thrown)
    }
  }
}
