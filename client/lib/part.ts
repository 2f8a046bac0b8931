import { type ComponentProps, type ComponentType, createElement, lazy, useState } from 'react'

// biome-ignore lint/suspicious/noExplicitAny: the props of each part are its own
type Module = { default: ComponentType<any> }

/**
 * A component whose code is loaded when it is shown, or before by `load`. Loaded code is shown at once: `lazy` would
 * even then show the skeleton first, and replace what the page of the Worker contains of it.
 */
export function part<M extends Module>(load: () => Promise<M>) {
  type Props = ComponentProps<M['default']>
  let loaded: ComponentType<Props> | undefined
  const loadOnce = () =>
    load().then((module) => {
      loaded = module.default
      return module
    })
  const Later: ComponentType<Props> = lazy(loadOnce)
  function Part(props: Props) {
    const [Shown] = useState<ComponentType<Props>>(() => loaded ?? Later)
    return createElement(Shown, props)
  }
  return { load: loadOnce, component: Part }
}
