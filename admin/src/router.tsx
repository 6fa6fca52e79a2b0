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
      // Renders nothing until the first screen has loaded, which is almost immediate.
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
