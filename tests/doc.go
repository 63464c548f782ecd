// Package tests holds the black-box tests of package transcode, by its exported API. What needs to look inside stands beside
// the library.
package tests
