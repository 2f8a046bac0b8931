import { type RefObject, useLayoutEffect, useState } from 'react'
import type { Appearance } from './appearance.ts'

/** Attributes by which pages switch their theme. */
const switches = ['class', 'style', 'data-theme', 'data-mode', 'data-color-scheme']

type Theme = NonNullable<Appearance['theme']>

/** The theme of the place of an element, by the `color-scheme` that the page gives it (CSS Color Adjustment 1, section 2). */
function themeAround(element: Element): Theme {
  const schemes = getComputedStyle(element).colorScheme.split(' ')
  if (!schemes.includes('dark')) return 'light'
  return schemes.includes('light') ? 'system' : 'dark'
}

/**
 * The theme of a root element, for its attribute `data-theme`, by which the stylesheet chooses explicit values
 * (scoped-style.ts). It follows the page where no theme is chosen. Undefined on a server.
 */
export function useTheme({ theme }: Appearance, root: RefObject<HTMLElement | null>): Theme | undefined {
  const [found, setFound] = useState<Theme>()
  useLayoutEffect(() => {
    const around = root.current?.parentElement
    if (theme !== undefined || !around) return
    const look = () => setFound(themeAround(around))
    look()
    const page = new MutationObserver(look)
    for (let at: Element | null = around; at; at = at.parentElement)
      page.observe(at, { attributes: true, attributeFilter: switches })
    return () => page.disconnect()
  }, [theme, root])
  return theme ?? found
}
