import type { ReactNode } from 'react'
import { useConfig } from '../lib/api.ts'
import { useHydrated } from '../lib/store.ts'
import { Brand, BrandLinks } from './brand.tsx'
import { LanguageSwitch, ThemeSwitch } from './preferences.tsx'

/** A signed-out screen: one sheet under the brand; frameless in a narrow window. */
export function VisitorFrame({ children }: { children: ReactNode }) {
  const { name, brand } = useConfig()
  const hydrated = useHydrated()
  return (
    <div className="visitor mx-auto flex min-h-dvh w-full max-w-[27rem] has-data-wide:max-w-[46rem] flex-col px-5 pt-6 pb-5 sm:px-4 sm:pt-12">
      {/* Forms of several steps stay where they are; a short message is in the middle. */}
      <main className="card sm:not-has-[form,ul,dl,table,[data-skeleton]]:mt-[calc((100dvh-30rem)/2)] sm:mt-[max(0px,calc((100dvh-44rem)/2))] sm:rounded-lg sm:border sm:bg-surface sm:px-9 sm:pt-8 sm:pb-9 sm:shadow-raised">
        <div className="visitor-brand mb-4 flex justify-center">
          <Brand size={36} nameHidden />
        </div>
        {children}
      </main>
      {/* Appears with the screen, which would push it down. */}
      <footer className="mt-auto grid justify-items-center gap-1 pt-8 text-sm text-soft [main:has([data-skeleton])+&]:hidden">
        <div className="flex items-center justify-center gap-3 empty:hidden">
          {hydrated ? (
            <>
              <LanguageSwitch />
              <ThemeSwitch />
            </>
          ) : (
            // Their place: the browser knows the choices.
            (brand.languageSwitch || brand.themeSwitch) && <span className="h-11.5" />
          )}
        </div>
        <p className="flex min-h-10 flex-wrap items-center justify-center gap-x-4">
          <span>{name}</span>
          <BrandLinks />
        </p>
      </footer>
    </div>
  )
}
