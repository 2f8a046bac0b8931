import { type RefObject, useLayoutEffect, useState } from 'react'
import type { Appearance } from './appearance.ts'

type Theme = NonNullable<Appearance['theme']>

/** `<meta name="color-scheme">`, for elements whose own scheme is `normal` (CSS Color Adjustment 1, section 2.2). */
const ofDocument = (): string =>
  document.querySelector<HTMLMetaElement>('meta[name="color-scheme" i]')?.content.toLowerCase() ?? ''

/** The theme of the place of an element, by the `color-scheme` that the page gives it (CSS Color Adjustment 1, section 2). */
function themeAround(element: Element): Theme {
  const { colorScheme } = getComputedStyle(element)
  const schemes = (colorScheme === 'normal' ? ofDocument() : colorScheme).split(/\s+/)
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
    // Each framework has an attribute of its own for its themes: `data-bs-theme`, `data-mantine-color-scheme`, ...
    for (let at: Element | null = around; at; at = at.parentElement) page.observe(at, { attributes: true })
    page.observe(document.head, { childList: true, subtree: true, attributes: true, attributeFilter: ['content'] })
    return () => page.disconnect()
  }, [theme, root])
  return theme ?? found
}
