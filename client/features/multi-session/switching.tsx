import { type ReactNode, useEffect, useRef } from 'react'

/**
 * Covers the page between two people: nothing of the one can be read or done any more, until the frame begins anew for
 * the other.
 */
export function Switching({ children }: { children: ReactNode }) {
  const ref = useRef<HTMLDialogElement>(null)
  useEffect(() => ref.current?.showModal(), [])
  return (
    <dialog
      ref={ref}
      onCancel={(event) => event.preventDefault()}
      className="fixed inset-0 m-0 size-full max-h-none max-w-none place-items-center bg-paper text-ink open:grid"
    >
      <p role="status" className="animate-appear">
        {children}
      </p>
    </dialog>
  )
}
