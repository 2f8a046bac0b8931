import { CircleCheck } from 'lucide-react'
import { useEffect, useRef } from 'react'
import { createStore } from '../lib/store.ts'

interface Toast {
  id: number
  text: string
}

const toasts = createStore<Toast[]>([])
const lifetime = 5000
let last = 0

/** Says that something has worked. What went wrong stands where it went wrong, never here. */
export function toast(text: string): void {
  last += 1
  const id = last
  toasts.set([...toasts.get(), { id, text }])
  setTimeout(() => toasts.set(toasts.get().filter((one) => one.id !== id)), lifetime)
}

/** Where they appear: once, in the app's frame. A popover, so that they stand above an open dialog too. */
export function Toasts() {
  const list = toasts.use()
  const ref = useRef<HTMLDivElement>(null)
  useEffect(() => {
    if (list.length > 0) ref.current?.showPopover()
    else ref.current?.hidePopover()
  }, [list])
  return (
    <div
      ref={ref}
      popover="manual"
      role="status"
      className="pointer-events-none fixed inset-auto inset-x-0 bottom-4 mx-auto w-fit max-w-[calc(100vw-2rem)] bg-transparent"
    >
      <div className="grid gap-2">
        {list.map(({ id, text }) => (
          <p
            key={id}
            className="flex items-center gap-2.5 rounded border bg-surface px-4 py-2.5 text-ink shadow-raised"
          >
            <CircleCheck aria-hidden size={18} className="flex-none text-success" />
            {text}
          </p>
        ))}
      </div>
    </div>
  )
}
