import { ms, seconds } from '../kit/time.ts'
import type { IoCount } from './io.ts'

export type Outside = (url: string, init?: RequestInit & { timeout?: number }) => Promise<Response>

/** fetch for what lies outside: always with a time-out (s), never following a redirect unless told, counted. */
export function outside(io: IoCount): Outside {
  return (url, { timeout = seconds(5), ...init } = {}) => {
    io.outside++
    return fetch(url, { redirect: 'manual', ...init, signal: AbortSignal.timeout(ms(timeout)) })
  }
}
