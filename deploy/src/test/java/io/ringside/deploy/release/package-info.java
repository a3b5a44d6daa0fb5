/// What becomes of a tag: versions, the scripts that a release runs, and the workflows that run
/// them.
package io.ringside.deploy.release;
