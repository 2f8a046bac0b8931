import { type ComponentType, createElement } from 'react'

// The module of the Worker has this in place of React's `lazy` (prerender.config.ts): a screen whose code has loaded is
// rendered once, instead of once for each part that waits for the code of another.

const loads: Promise<unknown>[] = []

export function eager<Props extends object>(load: () => Promise<{ default: ComponentType<Props> }>) {
  let loaded: ComponentType<Props> | undefined
  loads.push(
    load().then((module) => {
      loaded = module.default
    }),
  )
  return (props: Props) => createElement(loaded!, props)
}

export const allLoaded = (): Promise<unknown> => Promise.all(loads)
