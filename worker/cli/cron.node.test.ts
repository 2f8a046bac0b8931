import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, expect, it, vi } from 'vitest'
import { cronPause, repeatCron, scheduledPath } from './cron.ts'

const asked: string[] = []
const server = createServer((request, response) => {
  asked.push(request.url!)
  response.end()
})

afterEach(() => {
  vi.useRealTimers()
  server.close()
})

it('development runs the cron trigger at once, and every minute', async () => {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
  const stop = repeatCron(`http://127.0.0.1:${(server.address() as AddressInfo).port}`)
  const arrived = (count: number) =>
    vi.waitFor(() => expect(asked).toEqual(Array(count).fill(scheduledPath)), { timeout: 30_000 })
  await arrived(1)
  vi.advanceTimersByTime(cronPause)
  await arrived(2)
  stop()
  vi.advanceTimersByTime(10 * cronPause)
  expect(vi.getTimerCount()).toBe(0)
  expect(asked).toHaveLength(2)
})
