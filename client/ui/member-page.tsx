import { type ReactNode, useLayoutEffect, useRef, useState } from 'react'
import { PageTitle } from './page.tsx'
import { Bars } from './state.tsx'
import { Waiting } from './waiting.ts'

/** A signed-in screen: title, a sentence about it, sections, which appear together. */
export function Page({
  title,
  intro,
  actions,
  children,
}: {
  title: string
  intro?: ReactNode
  actions?: ReactNode
  children: ReactNode
}) {
  return (
    <div className="grid grid-cols-1 gap-6">
      <div className="flex flex-wrap items-end justify-between gap-4">
        <div className="grid gap-1 sm:min-w-0 sm:flex-1">
          <PageTitle>{title}</PageTitle>
          {intro && <p className="max-w-prose text-soft">{intro}</p>}
        </div>
        {actions}
      </div>
      <Together>{children}</Together>
    </div>
  )
}

/** After so many milliseconds what has come is shown beside what has not. */
const patience = 8000

/**
 * Shows its children at once when the last of them has what it needs: parts that come in one by one would move the
 * others, and with them the button that a finger is already on.
 */
function Together({ children }: { children: ReactNode }) {
  const [shown, setShown] = useState(false)
  const waiting = useRef(0)
  const [wait] = useState(() => () => {
    waiting.current++
    return () => {
      waiting.current--
      // What comes in may itself wait for something: it has said so by then.
      queueMicrotask(() => waiting.current === 0 && setShown(true))
    }
  })
  useLayoutEffect(() => {
    if (waiting.current === 0) setShown(true)
    const timer = setTimeout(() => setShown(true), patience)
    return () => clearTimeout(timer)
  }, [])
  useLayoutEffect(() => {
    if (shown) showHashTarget()
  }, [shown])
  return (
    <>
      {!shown && <Bars lines={6} />}
      <Waiting value={wait}>
        <div hidden={!shown} className="contents">
          {children}
        </div>
      </Waiting>
    </>
  )
}

/** Leads to the part of the page that the address names (`#sessions`), and to its heading for who reads by ear. */
function showHashTarget(): void {
  const id = location.hash.slice(1)
  const part = id ? document.getElementById(id) : null
  part?.scrollIntoView()
  part?.closest('section')?.querySelector<HTMLElement>('h2')?.focus({ preventScroll: true })
}
