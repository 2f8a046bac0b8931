import { createStore, remembered } from './store.ts'

export const themes = ['system', 'light', 'dark'] as const
export type Theme = (typeof themes)[number]

// app/before-paint.js has applied the stored theme, or the page has that of the brand.
export const theme = createStore((globalThis.document?.documentElement.dataset.theme ?? 'system') as Theme)

export function chooseTheme(next: Theme): void {
  const { dataset } = document.documentElement
  if (next === 'system') delete dataset.theme
  else dataset.theme = next
  remembered.set('theme', next)
  theme.set(next)
}
