import { useEffect, useState } from 'react'

/** The time in epoch milliseconds, updated at an interval. */
export function useNow(everyMilliseconds: number, running = true): number {
  const [now, setNow] = useState(Date.now)
  useEffect(() => {
    if (!running) return
    setNow(Date.now())
    const timer = setInterval(() => setNow(Date.now()), everyMilliseconds)
    return () => clearInterval(timer)
  }, [everyMilliseconds, running])
  return now
}

/** Whole seconds until a time; 0 after it. */
export function useSecondsUntil(moment: number | null): number {
  const [over, setOver] = useState<number | null>(null)
  const now = useNow(1000, moment !== null && over !== moment)
  const left = moment === null ? 0 : Math.max(0, Math.ceil((moment - now) / 1000))
  useEffect(() => {
    if (moment !== null && left === 0) setOver(moment)
  }, [moment, left])
  return left
}
