import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { openSocket } from './socket.ts'

const sockets: FakeSocket[] = []

class FakeSocket {
  onopen?: () => void
  onmessage?: (event: { data: string }) => void
  onclose?: (event: { code: number }) => void
  constructor(readonly url: URL) {
    sockets.push(this)
  }
  send(): void {}
  close(): void {}
}

beforeEach(() => {
  vi.useFakeTimers({ now: 1_000_000 })
  vi.stubGlobal('WebSocket', FakeSocket)
  vi.stubGlobal('navigator', { onLine: true })
  vi.stubGlobal('addEventListener', () => {})
  sockets.length = 0
})
afterEach(() => {
  vi.useRealTimers()
  vi.unstubAllGlobals()
})

function opening(since?: number) {
  const heard: string[] = []
  openSocket(new URL('https://accounts.example.com/api/auth/live'), {
    since,
    onChange: (changed) => heard.push(...changed),
    onMissed: () => heard.push('missed'),
    onRefused: () => heard.push('refused'),
    onEnd: () => heard.push('ended'),
  })
  return heard
}

const message = (changed: string[], ago?: number) => ({ data: JSON.stringify({ changed, ago }) })

describe('the first connection', () => {
  it('asks for the recent messages, and hears those after the page was loaded', () => {
    const heard = opening(Date.now() - 2000)
    expect(String(sockets[0]!.url)).toBe('wss://accounts.example.com/api/auth/live?recent=true')
    sockets[0]!.onopen?.()
    sockets[0]!.onmessage?.(message(['sessions'], 2001))
    sockets[0]!.onmessage?.(message(['user'], 2000))
    sockets[0]!.onmessage?.({ data: 'pong' })
    sockets[0]!.onmessage?.(message(['credentials']))
    expect(heard).toEqual(['user', 'credentials'])
  })

  it('may have missed messages when it comes later than the server keeps them', () => {
    const heard = opening()
    vi.setSystemTime(Date.now() + 10_001)
    sockets[0]!.onopen?.()
    expect(heard).toEqual(['missed'])
  })

  it('that is refused may be one of an ended session: it says so once', () => {
    const heard = opening()
    for (let attempt = 0; attempt < 3; attempt++) {
      sockets[attempt]!.onclose?.({ code: 1006 })
      vi.advanceTimersByTime(10_000)
    }
    expect(heard).toEqual(['refused'])
    expect(sockets[3]!.url.searchParams.has('recent')).toBe(false)
    sockets[3]!.onopen?.()
    sockets[3]!.onclose?.({ code: 1006 })
    expect(heard).toEqual(['refused', 'missed'])
  })

  it('is not refused without a network, and not at the end of the session', () => {
    const heard = opening()
    vi.stubGlobal('navigator', { onLine: false })
    sockets[0]!.onclose?.({ code: 1006 })
    vi.stubGlobal('navigator', { onLine: true })
    vi.advanceTimersByTime(10_000)
    sockets[1]!.onopen?.()
    sockets[1]!.onclose?.({ code: 4401 })
    expect(heard).toEqual(['missed', 'ended'])
  })
})
