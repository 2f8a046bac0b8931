import { createStore } from './store.ts'

export interface Toast {
  id: number
  text: string
  undo?: Undo | undefined
}

export interface Undo {
  label: string
  run(): void
}

/** What ui/toasts.tsx shows. Apart from it, because most first loads show no toast. */
export const toasts = createStore<Toast[]>([])
