/** Self-destroying worker: replaces the worker in browsers when it is no longer needed. */
import { unregister } from './unregister.browser.js'

addEventListener('install', () => skipWaiting())
addEventListener('activate', (event) => event.waitUntil(unregister()))
