import { createStore, remembered } from './store.ts'

export const themes = ['system', 'light', 'dark'] as const
export type Theme = (typeof themes)[number]

// app/before-paint.js has already put a remembered choice on the root element, before the first paint.
const chosen = remembered.get('theme')
export const theme = createStore<Theme>(chosen === 'light' || chosen === 'dark' ? chosen : 'system')

export function chooseTheme(next: Theme): void {
  if (next === 'system') delete document.documentElement.dataset.theme
  else document.documentElement.dataset.theme = next
  remembered.set('theme', next === 'system' ? null : next)
  theme.set(next)
}
