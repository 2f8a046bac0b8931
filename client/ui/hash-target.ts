import { useEffect } from 'react'

const settling = 1500

/**
 * Leads to the part of a page that the address names (`#sessions`), and stays with it while what stands above is
 * loading and grows, unless the person has begun to do something.
 */
export function useHashTarget(): void {
  useEffect(() => {
    const id = location.hash.slice(1)
    const page = document.querySelector('main')
    if (!id || !page) return
    let focused = false
    const show = () => {
      const part = document.getElementById(id)
      part?.scrollIntoView()
      if (part && !focused) {
        focused = true
        part.closest('section')?.querySelector<HTMLElement>('h2')?.focus({ preventScroll: true })
      }
    }
    const observer = new ResizeObserver(show)
    observer.observe(page)
    const stop = () => observer.disconnect()
    const timer = setTimeout(stop, settling)
    const acts = ['keydown', 'pointerdown', 'wheel', 'touchstart'] as const
    for (const act of acts) addEventListener(act, stop, { once: true, passive: true })
    return () => {
      clearTimeout(timer)
      stop()
      for (const act of acts) removeEventListener(act, stop)
    }
  }, [])
}
