import type { ReactNode } from 'react'
import { Brand } from './brand.tsx'
import { LanguageSwitch, ThemeSwitch } from './preferences.tsx'

/** A signed-out screen: one sheet in the middle of the paper. */
export function VisitorFrame({ children }: { children: ReactNode }) {
  return (
    <div className="mx-auto flex min-h-dvh w-full max-w-md flex-col px-4 py-6 sm:py-10">
      <header className="mb-6 flex justify-center">
        <Brand />
      </header>
      <main className="rounded border bg-surface p-6 sm:p-8">{children}</main>
      <footer className="mt-auto flex items-center justify-center gap-3 pt-8">
        <LanguageSwitch />
        <ThemeSwitch />
      </footer>
    </div>
  )
}
