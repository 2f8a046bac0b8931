import { type ComponentType, lazy } from 'react'
import type { FeatureSwitches } from './auth/endpoints.ts'

export interface Screen {
  /** With `:name` for a parameter, which the screen reads with `useParams` of wouter. */
  path: string
  /** `member` requires a session and shows the navigation. */
  frame: 'visitor' | 'member'
  component: ComponentType
  /** Starts to load its code. */
  load?(): Promise<ScreenModule>
  /** A screen with switches exists while one of them is on. */
  switches?: readonly (keyof FeatureSwitches)[]
}

export interface ScreenModule {
  default: ComponentType
  /** Loads the code of its parts that are shown at first. */
  ready?(): Promise<unknown>
}

const screenIn =
  (frame: Screen['frame']) =>
  (path: string, load: () => Promise<ScreenModule>, ...switches: (keyof FeatureSwitches)[]): Screen => ({
    path,
    frame,
    component: lazy(load),
    load,
    ...(switches.length > 0 ? { switches } : {}),
  })

/** A screen for everyone. Its code is loaded with its first visit. */
export const visitor = screenIn('visitor')

export const member = screenIn('member')
