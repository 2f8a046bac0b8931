import { vi } from 'vitest'
import { timeOutAtOnce } from './trouble.ts'

/**
 * Passes all outside requests to `receive`, and makes timeouts abort immediately. Restore with vi.restoreAllMocks().
 */
export function interceptOutside(receive: (request: Request, signal?: AbortSignal | null) => Promise<Response>): void {
  vi.spyOn(AbortSignal, 'timeout').mockImplementation(timeOutAtOnce)
  vi.spyOn(globalThis, 'fetch').mockImplementation((input, init) => receive(new Request(input, init), init?.signal))
}
