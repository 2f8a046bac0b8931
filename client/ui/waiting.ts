import { createContext, useContext, useLayoutEffect } from 'react'

/** Registers a child that is loading. @returns a function that removes it */
export const Waiting = createContext<(() => () => void) | null>(null)

/** Makes the surrounding page wait while the component is mounted. */
export function useWaiting(): void {
  const wait = useContext(Waiting)
  useLayoutEffect(() => wait?.(), [wait])
}
