import type { ReactNode } from 'react'
import { useConfig } from '../lib/api.ts'
import { Brand, BrandLinks } from './brand.tsx'
import { LanguageSwitch, ThemeSwitch } from './preferences.tsx'

/** A signed-out screen: one sheet under the brand. In a narrow window it has no frame of its own. */
export function VisitorFrame({ children }: { children: ReactNode }) {
  const { name } = useConfig()
  return (
    <div className="mx-auto flex min-h-dvh w-full max-w-[27rem] flex-col px-5 pt-6 pb-5 sm:px-4 sm:pt-12">
      <main className="sm:rounded-lg sm:border sm:bg-surface sm:px-9 sm:pt-8 sm:pb-9 sm:shadow-raised">
        <div className="mb-4 flex justify-center">
          <Brand size={36} nameHidden />
        </div>
        {children}
      </main>
      {/* With the screen, not before it, for it would be pushed down. */}
      <footer className="mt-auto grid justify-items-center gap-4 pt-8 text-sm text-soft [main:has([data-skeleton])+&]:hidden">
        <div className="flex items-center justify-center gap-3">
          <LanguageSwitch />
          <ThemeSwitch />
        </div>
        <p className="flex flex-wrap justify-center gap-x-4 gap-y-1">
          <span>{name}</span>
          <BrandLinks />
        </p>
      </footer>
    </div>
  )
}
