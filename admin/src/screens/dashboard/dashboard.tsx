import { Stack } from '@mantine/core'
import { Navigate } from 'react-router'
import { __, sprintf } from '../../i18n.ts'
import { can, pageData } from '../../page-data.ts'
import { Page } from '../../parts/page.tsx'
import { useSettingValues } from '../../settings/use-settings.ts'
import classes from './dashboard.module.css'
import { Drafts } from './drafts.tsx'
import { Glance } from './glance.tsx'
import { pluginDashboards } from './plugin-dashboards.ts'
import { QuickActions } from './quick-actions.tsx'
import { RecentComments } from './recent-comments.tsx'
import { ToDo } from './to-do.tsx'
import { Welcome } from './welcome.tsx'

/** The dashboard: the state of the site and what to do, depending on the user's capabilities. That of a new site opens the setup wizard. */
export default function Dashboard() {
  return pageData.settings.setup?.values.state === 'pending' ? <NewSite /> : <Home />
}

/** The state is read again, as the wizard may have ended since the page was loaded; other sites need not read it. */
function NewSite() {
  const { state } = useSettingValues('setup')
  return state === 'pending' ? <Navigate to="/setup" replace /> : <Home />
}

function Home() {
  const isWriter = can('edit_posts')
  const isOwner = can('manage_options')
  return (
    <Page
      title={__('Dashboard', 'pentad')}
      description={sprintf(__('Hello, %s', 'pentad'), pageData.user.name)}
      actions={isWriter && <QuickActions />}
    >
      <Stack gap="md">
        {!isWriter && <Welcome />}
        {isWriter && <Glance />}
        {isOwner && <ToDo />}
        <div className={classes.cards}>
          {isOwner && pluginDashboards.map(({ id, Card }) => <Card key={id} />)}
          {isWriter && (
            <>
              <Drafts />
              <RecentComments />
            </>
          )}
        </div>
      </Stack>
    </Page>
  )
}
