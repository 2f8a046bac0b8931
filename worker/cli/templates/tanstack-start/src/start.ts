import { createCsrfMiddleware, createMiddleware, createStart } from '@tanstack/react-start'
import { auth } from './auth.server'

/** Identifies the caller of every request. */
const session = createMiddleware().server(auth.session())
const csrf = createCsrfMiddleware({ filter: ({ handlerType }) => handlerType === 'serverFn' })

export const startInstance = createStart(() => ({ requestMiddleware: [csrf, session] }))
