import type { EndedAccess, TakenValue, TaskHandler, WayIn } from '../identity/lifecycle.ts'
import type { Scope } from '../identity/scope.ts'
import type { Session } from '../identity/sessions/sessions.table.ts'
import type { User } from '../identity/users/users.table.ts'
import type { Options } from '../kit/options.ts'
import type { Condition, Statement } from '../platform/statements.ts'
import type { Routes } from './routes.ts'

/**
 * One capability of the specification: all that worker/features.ts has to know of it. Where it steps into the paths
 * of others stands there, in the lifecycle table. A feature whose options say `enabled: false` is left out as a
 * whole, and its paths are not found.
 */
export interface Feature {
  name: string
  routes?: Routes
  options?: Options<string, object>
  /** For a feature that is switched by something else than `enabled` among its own options. */
  on?(options: Readonly<Record<string, unknown>>): boolean
  /** What the hosted screens are told of it, by GET /config. */
  publicConfiguration?(scope: Scope): Record<string, unknown>
  /** Where its screens load scripts and the like from, besides ourselves (Content Security Policy of the app's pages). */
  contentSources?(scope: Scope): ContentSources
  /** Columns of the user and the session that answers show while it is on, in order. */
  shows?: { user?: readonly (keyof User)[]; session?: readonly (keyof Session)[] }
  /**
   * What a person is called by besides their address, where it signs them in: `username:ada`. Wrong guesses are counted
   * by these names, and a browser remembers them (identity/sessions/known-device.ts).
   */
  names?(user: User): string[]
  /** What it means that one of its columns of the users' table (`users.username`) holds a value already. */
  takenValues?: Readonly<Record<string, TakenValue>>
  /** What opens an account while it is on. */
  waysIn?: readonly WayIn[]
  /** How the ways in that it keeps for a user end, when somebody else proves the account's address. */
  endingAccess?(scope: Scope, userId: string, when: Condition): EndedAccess
  /** Lists of what it keeps for a person, for administrators: statements by name, whose rows are told as they are. */
  aboutUser?: Readonly<Record<string, (scope: Scope, userId: string) => Statement>>
  /** The work that it puts off, by kind; see identity/tasks/tasks.ts. */
  tasks?: Readonly<Record<string, TaskHandler<Scope>>>
  /** Run by the cron trigger: deletes what has expired, and tries again what waits. */
  scheduled?(scope: Scope): Promise<unknown>
}

/** Sources by directive: `script` for script-src. */
export type ContentSources = { readonly [D in 'script' | 'style' | 'connect' | 'frame' | 'img']?: readonly string[] }

/** Declares a feature and keeps its literal types. */
export const defineFeature = <const F extends Feature>(feature: F): F => feature
