import { createContext, useContext, useLayoutEffect } from 'react'

/** Given by what shows its parts together: takes note of one that waits, and answers how to take it back. */
export const Waiting = createContext<(() => () => void) | null>(null)

/** Tells the page around it, as long as the component is there, that something is still on its way. */
export function useWaiting(): void {
  const wait = useContext(Waiting)
  useLayoutEffect(() => wait?.(), [wait])
}
