import { CircleCheck } from 'lucide-react'
import { useLayoutEffect, useRef } from 'react'
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

const margin = 16
const control = 'a, button, input, select, textarea, summary, label'

/** Whether something that can be used lies under a rectangle of the window. */
function coversControl(own: HTMLElement, { left, right, height }: DOMRect, top: number): boolean {
  for (let y = top; y <= top + height; y += 12) {
    for (let x = left; x <= right; x += 24) {
      const under = document.elementsFromPoint(x, y).filter((element) => !own.contains(element))
      if (under[0]?.closest(control)) return true
    }
  }
  return false
}

/** From the bottom of the window upwards, the first place where it covers nothing that can be used. */
function freeTop(own: HTMLElement): number {
  const box = own.getBoundingClientRect()
  const lowest = innerHeight - box.height - margin
  for (let top = lowest; top > margin; top -= 12) if (!coversControl(own, box, top)) return top
  return lowest
}

/** Where they appear: once, in the app's frame. A popover, so that they stand above an open dialog too. */
export function Toasts() {
  const list = toasts.use()
  const ref = useRef<HTMLDivElement>(null)
  useLayoutEffect(() => {
    const own = ref.current
    if (!own) return
    if (list.length === 0) return own.hidePopover()
    own.showPopover()
    own.style.top = `${freeTop(own)}px`
  }, [list])
  return (
    <div
      ref={ref}
      popover="manual"
      role="status"
      className="pointer-events-none fixed inset-auto inset-x-0 mx-auto w-fit max-w-[calc(100vw-2rem)] bg-transparent"
    >
      <div className="grid gap-2">
        {list.map(({ id, text }) => (
          <p key={id} className="flex items-center gap-2.5 rounded border bg-surface px-4 py-2.5 shadow-raised">
            <CircleCheck aria-hidden size={18} className="flex-none text-success" />
            {text}
          </p>
        ))}
      </div>
    </div>
  )
}
