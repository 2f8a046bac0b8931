import * as react from 'react'
import * as runtime from 'react/jsx-runtime'
import * as dom from 'react-dom'
import { provide } from '../components/react.ts'

// The embed script contains its React.
provide(react, dom, runtime)
