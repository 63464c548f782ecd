module github.com/seed-1959eab6/transcode/bench

go 1.26.0

replace github.com/seed-1959eab6/transcode => ../

require (
	github.com/bytedance/sonic v1.15.5
	github.com/klauspost/cpuid/v2 v2.4.2
	github.com/seed-1959eab6/transcode v0.0.0
	github.com/segmentio/asm v1.2.1
	golang.org/x/text v0.44.0
)

require (
	github.com/bytedance/sonic/loader v0.5.3 // indirect
	github.com/cloudwego/base64x v0.1.6 // indirect
	golang.org/x/arch v0.33.0 // indirect
	golang.org/x/sys v0.50.0 // indirect
)
