import './locale.ts'
import '@mantine/core/styles.css'
import '@mantine/notifications/styles.css'
import './main.css'
import { DirectionProvider, MantineProvider } from '@mantine/core'
import { ModalsProvider } from '@mantine/modals'
import { Notifications } from '@mantine/notifications'
import { QueryClientProvider } from '@tanstack/react-query'
import { setNonce } from 'get-nonce'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { RouterProvider } from 'react-router/dom'
import { queryClient } from './api/query.ts'
import { pageData } from './page-data.ts'
import { router } from './router.tsx'
import { theme } from './theme.ts'

// For the library that locks scrolling behind a dialog.
setNonce(pageData.styleNonce)

const root = document.getElementById('root')
if (!root) throw new Error('The page has no root element for the admin.')

createRoot(root).render(
  <StrictMode>
    <DirectionProvider initialDirection={pageData.locale.direction}>
      <MantineProvider theme={theme} defaultColorScheme="auto" getStyleNonce={() => pageData.styleNonce}>
        <QueryClientProvider client={queryClient}>
          <ModalsProvider>
            <Notifications position="bottom-right" />
            <RouterProvider router={router} />
          </ModalsProvider>
        </QueryClientProvider>
      </MantineProvider>
    </DirectionProvider>
  </StrictMode>,
)
