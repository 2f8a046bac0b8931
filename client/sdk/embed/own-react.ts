import * as react from 'react'
import * as runtime from 'react/jsx-runtime'
import * as dom from 'react-dom'
import { provide } from '../components/react.ts'

// The embed script has a React of its own.
provide(react, dom, runtime)
