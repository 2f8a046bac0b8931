import type * as React from 'react'
import type * as Runtime from 'react/jsx-runtime'
import type * as Dom from 'react-dom'

// In place of `react`, `react-dom` and `react/jsx-runtime` in the files that the embed script and the components of the
// package share (client/components.config.ts): the entry of each passes its own React before the files are evaluated.

type Given = typeof React & typeof Dom & typeof Runtime

export let Component: Given['Component']
export let Fragment: Given['Fragment']
export let Suspense: Given['Suspense']
export let cloneElement: Given['cloneElement']
export let createContext: Given['createContext']
export let createElement: Given['createElement']
export let createPortal: Given['createPortal']
export let flushSync: Given['flushSync']
export let forwardRef: Given['forwardRef']
export let isValidElement: Given['isValidElement']
export let jsx: Given['jsx']
export let jsxs: Given['jsxs']
export let lazy: Given['lazy']
export let startTransition: Given['startTransition']
export let use: Given['use']
export let useCallback: Given['useCallback']
export let useContext: Given['useContext']
export let useEffect: Given['useEffect']
export let useEffectEvent: Given['useEffectEvent']
export let useId: Given['useId']
export let useInsertionEffect: Given['useInsertionEffect']
export let useLayoutEffect: Given['useLayoutEffect']
export let useMemo: Given['useMemo']
export let useRef: Given['useRef']
export let useState: Given['useState']
export let useSyncExternalStore: Given['useSyncExternalStore']

export function provide(react: typeof React, dom: typeof Dom, runtime: typeof Runtime): void {
  ;({
    Component,
    Fragment,
    Suspense,
    cloneElement,
    createContext,
    createElement,
    forwardRef,
    isValidElement,
    lazy,
    startTransition,
    use,
    useCallback,
    useContext,
    useEffect,
    useEffectEvent,
    useId,
    useInsertionEffect,
    useLayoutEffect,
    useMemo,
    useRef,
    useState,
    useSyncExternalStore,
  } = react)
  ;({ createPortal, flushSync } = dom)
  ;({ jsx, jsxs } = runtime)
}
