import { CircleCheck } from 'lucide-react'
import { useLayoutEffect, useRef } from 'react'
import { toasts, type Undo } from '../lib/toasts.ts'

const lifetime = 5000
/** Of a toast that can be undone. */
const longLifetime = 10_000
let last = 0

/** Confirms success. Errors are shown where they occur. */
export function toast(text: string, undo?: Undo): void {
  last += 1
  const id = last
  toasts.set([...toasts.get(), { id, text, undo }])
  setTimeout(() => remove(id), undo ? longLifetime : lifetime)
}

const remove = (id: number) => toasts.set(toasts.get().filter((one) => one.id !== id))

const margin = 16
const control = 'a, button, input, select, textarea, summary, label'

/** Points of a line with both of its ends, at most `step` apart. */
const points = (from: number, length: number, step: number): number[] =>
  Array.from({ length: Math.ceil(length / step) + 1 }, (_, index) => from + Math.min(index * step, length))

/** Whether a control is under a rectangle of the window. */
function coversControl(own: HTMLElement, { left, width, height }: DOMRect, top: number): boolean {
  for (const y of points(top, height, 12)) {
    for (const x of points(left, width, 24)) {
      const under = document.elementsFromPoint(x, y).filter((element) => !own.contains(element))
      if (under[0]?.closest(control)) return true
    }
  }
  return false
}

/** The lowest position that covers no control. */
function freeTop(own: HTMLElement): number {
  const box = own.getBoundingClientRect()
  const lowest = innerHeight - box.height - margin
  for (let top = lowest; top > margin; top -= 12) if (!coversControl(own, box, top)) return top
  return lowest
}

/** The place of toasts, once in the app. A popover, so that it is above an open dialog. */
export default function Toasts() {
  const list = toasts.use()
  const ref = useRef<HTMLDivElement>(null)
  useLayoutEffect(() => {
    const own = ref.current
    if (!own) return
    if (list.length === 0) return own.hidePopover()
    own.showPopover()
    // In a page of another product the rules of the stylesheet are important.
    own.style.setProperty('top', `${freeTop(own)}px`, 'important')
  }, [list])
  return (
    <div
      ref={ref}
      popover="manual"
      role="status"
      className="pointer-events-none fixed inset-auto inset-x-0 mx-auto w-fit max-w-[calc(100vw-2rem)] bg-transparent"
    >
      <div className="grid gap-2">
        {list.map(({ id, text, undo }) => (
          <p key={id} className="flex items-center gap-2.5 rounded border bg-surface px-4 py-2.5 shadow-raised">
            <CircleCheck aria-hidden size={18} className="flex-none text-success" />
            {text}
            {undo && (
              <button
                type="button"
                onClick={() => {
                  remove(id)
                  undo.run()
                }}
                className="link pointer-events-auto -my-2.5 -me-2 min-h-10 px-2 font-medium"
              >
                {undo.label}
              </button>
            )}
          </p>
        ))}
      </div>
    </div>
  )
}
