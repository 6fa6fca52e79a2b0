import { createBrowserRouter } from 'react-router'
import { screens } from './screens/index.ts'
import { Frame } from './shell/frame.tsx'
import { NotFound } from './shell/not-found.tsx'
import { ScreenError } from './shell/screen-error.tsx'

export const router = createBrowserRouter(
  [
    {
      element: <Frame />,
      errorElement: <ScreenError />,
      // Nothing until the first screen is there: it comes at once.
      hydrateFallbackElement: <></>,
      children: [
        ...screens.map(({ path, load }) => ({
          path,
          errorElement: <ScreenError />,
          lazy: async () => ({ Component: (await load()).default }),
        })),
        { path: '*', element: <NotFound /> },
      ],
    },
  ],
  { basename: '/wp-admin' },
)
