import type { ComponentProps, ElementType, Key } from 'react'
import { jsx as createElement, jsxs as createElements, Fragment } from 'react/jsx-runtime'

// The build of the components compiles JSX to these functions instead of those of React: every class gets the prefix of
// the scoped stylesheet (client/scoped-style.ts), and the classes that the page adds to an element.

export { Fragment }

const prefix = 'gh-'

let added: Readonly<Record<string, string | undefined>> = {}
let text = '[]'
const known = new Map<string, string>()

/** @param elements by the name of the element, the class that marks it: classes of the page; declarations are rules */
export function setElementClasses({ elements = {} }: { elements?: Readonly<Record<string, unknown>> }): void {
  const classes = Object.entries(elements).filter((one): one is [string, string] => typeof one[1] === 'string')
  const next = JSON.stringify(classes)
  if (next === text) return
  text = next
  added = Object.fromEntries(classes)
  known.clear()
}

/** A class that has the prefix, or was added by the page, comes through a component that passes it on. */
function scoped(classes: string): string {
  const found = known.get(classes)
  if (found !== undefined) return found
  const own = new Set(Object.values(added).flatMap((names) => names?.split(' ') ?? []))
  const names = classes
    .split(' ')
    .filter(Boolean)
    .flatMap((name) => {
      if (name.startsWith(prefix) || own.has(name)) return name
      return added[name] ? [prefix + name, added[name]] : prefix + name
    })
  const result = [...new Set(names)].join(' ')
  known.set(classes, result)
  return result
}

type Props = ComponentProps<ElementType> & { className?: unknown }

const withScope = (props: Props): Props =>
  typeof props.className === 'string' ? { ...props, className: scoped(props.className) } : props

export const jsx = (type: ElementType, props: Props, key?: Key) => createElement(type, withScope(props), key)

export const jsxs = (type: ElementType, props: Props, key?: Key) => createElements(type, withScope(props), key)
