import { createContext, useContext, useEffect, useRef, useState } from 'react'

/** Whether the surrounding page shows its sections: until then a dialog in them would be invisible. */
export const PageShown = createContext(true)

// The router dispatches pushState for each of its navigations, also to the address of this moment.
const arrivals = ['pushState', 'popstate', 'hashchange']

/** Calls `show` with the part that the address names (`#sessions`): at first, and after each navigation. */
export function useNamedPart(show: (id: string) => void): void {
  const shown = useContext(PageShown)
  const latest = useRef(show)
  useEffect(() => {
    latest.current = show
  })
  useEffect(() => {
    if (!shown) return
    const look = () => {
      const id = location.hash.slice(1)
      if (id) latest.current(id)
    }
    look()
    for (const name of arrivals) addEventListener(name, look)
    return () => {
      for (const name of arrivals) removeEventListener(name, look)
    }
  }, [shown])
}

/**
 * Whether a dialog is open, like `useState(false)`: the address `#id` opens it, and closing removes that from the address.
 * Every id has a command (lib/commands.ts).
 */
export function useAddressed(id: string | undefined): [boolean, (open: boolean) => void] {
  const [open, setOpen] = useState(false)
  useNamedPart((named) => named === id && setOpen(true))
  const change = (next: boolean) => {
    setOpen(next)
    if (!next && id !== undefined && location.hash === `#${id}`) {
      history.replaceState(history.state, '', location.pathname + location.search)
    }
  }
  return [open, change]
}
