import type { FirstScreen, ScreenRequest, TextsOfScreens } from '../../kit/first-screen.ts'

// The module #prerender (package.json), which the build of the app writes: client/app/prerender.tsx.

/** @returns null for a screen that is not rendered before its scripts */
export function prerender(request: ScreenRequest): Promise<FirstScreen | null>

export const texts: TextsOfScreens
